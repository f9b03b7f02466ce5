"""Carts, prices and discounts of the shop."""
