"""DynamoDB: one module for each aggregate; `keys` names all tables, keys and indexes."""
