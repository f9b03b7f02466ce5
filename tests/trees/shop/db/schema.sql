CREATE TABLE customers (
    id BIGINT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE
);

CREATE TABLE orders (
    id BIGINT PRIMARY KEY,
    customer_id BIGINT NOT NULL REFERENCES customers (id),
    total_cents BIGINT NOT NULL
);

CREATE VIEW revenue_per_customer AS
SELECT customer_id, SUM(total_cents) AS revenue_cents
FROM orders
GROUP BY customer_id;
