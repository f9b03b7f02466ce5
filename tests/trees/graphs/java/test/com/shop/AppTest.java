package com.shop;

public class AppTest {
  void runs() {
    App app = new App(null);
    app.run(null, null);
  }
}
