from shop.cart import ShoppingCart


def test_add_article_twice_adds_quantities():
    cart = ShoppingCart()
    cart.add_article("A-1", 1, 100)
    cart.add_article("A-1", 2, 100)
    assert cart.lines[0].quantity == 3


def test_apply_discount_of_a_coupon():
    cart = ShoppingCart()
    cart.add_article("A-1", 1, 1000)
    assert cart.total_cents("WELCOME10") == 1071
