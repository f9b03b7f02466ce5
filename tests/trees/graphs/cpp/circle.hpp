#pragma once
#include "shape.hpp"

namespace geo {

class Circle : public Shape {
public:
  int area() override {
    log.push(1);
    return square() + this->square();
  }

  int square() {
    return 3;
  }

  static Circle *make() {
    return new Circle();
  }
};

class Square : public Shape {
public:
  int area() override {
    return Shape::area();
  }

  int square() {
    return 4;
  }

  void push(int value) {}
};

}
