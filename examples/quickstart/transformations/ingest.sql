-- Files become Delta tables. Each file is read once, whatever its name or age; rows are added exactly once.

CREATE OR REFRESH STREAMING TABLE orders (
  CONSTRAINT has_customer EXPECT (customer_id IS NOT NULL) ON VIOLATION DROP ROW,
  CONSTRAINT plausible    EXPECT (quantity BETWEEN 1 AND 100)
)
PARTITIONED BY (day)
COMMENT 'orders as the shop sent them; lines that are no JSON are in orders_dead_letters'
AS SELECT id, customer_id, product_id, quantity, placed_at, CAST(placed_at AS DATE) AS day, _metadata.file_name AS source_file
FROM STREAM read_files(
  'data/orders',
  format => 'json',
  schema => 'id BIGINT, customer_id INT, product_id INT, quantity INT, placed_at TIMESTAMP'
);

CREATE OR REFRESH STREAMING TABLE customers
AS SELECT * FROM STREAM read_files(
  'data/customers',
  format => 'csv',
  header => true,
  schema => 'id INT, name STRING, city STRING'
);

CREATE OR REFRESH STREAMING TABLE products
AS SELECT * FROM STREAM read_files('data/products', format => 'parquet');
