package com.shop.store;

public interface Store {
  void save(String item);

  String get(String key);
}
