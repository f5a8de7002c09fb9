-- Views always say what their query says about all rows so far. One whose inputs did not change is left alone.

CREATE OR REFRESH MATERIALIZED VIEW revenue_by_city
COMMENT 'what each city has bought'
AS SELECT c.city, count(*) AS orders, sum(o.quantity * p.price) AS revenue
FROM orders o
JOIN customers c ON c.id = o.customer_id
JOIN products p ON p.id = o.product_id
GROUP BY c.city;
