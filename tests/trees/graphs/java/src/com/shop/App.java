package com.shop;

import static com.shop.pricing.Prices.total;

import com.shop.pricing.Prices;
import com.shop.store.FileStore;
import com.shop.store.MemoryStore;
import com.shop.store.Store;
import java.util.List;
import java.util.Map;

public class App {
  private final Store store;
  private MemoryStore memory = new MemoryStore();

  public App(Store store) {
    this.store = store;
  }

  public void run(List<String> names, Map<String, String> seen) {
    for (String name : names) {
      store.save(name);
    }
    names.add("x");
    seen.get("y");
    memory.write();
    total(1);
    Prices.total(2, 3);
    helper();
  }

  private void helper() {
    var rule = new Prices.Rule();
    rule.apply(1);
    Runnable task = () -> this.memory.flush();
    task.run();
  }

  void shadow(FileStore store) {
    store.save("file");
    store.get("x");
  }

  public static void main(String[] args) {
    App app = new App(FileStore.open());
    app.run(List.of(), Map.of());
    new App(null).shadow(null);
  }
}
