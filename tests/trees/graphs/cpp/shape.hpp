#pragma once

class Log {
public:
  void push(int value) {
    check(value);
  }

private:
  void check(int value) {}
};

class Shape {
public:
  virtual int area() {
    return 0;
  }

  int twice() {
    return 2 * area();
  }

protected:
  Log log;
};
