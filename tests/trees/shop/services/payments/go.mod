module shop.example/payments

go 1.21
