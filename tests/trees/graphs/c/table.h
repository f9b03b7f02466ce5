void table_put(int k);
