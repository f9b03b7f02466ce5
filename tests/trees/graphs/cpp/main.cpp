#include "circle.hpp"
#include <memory>
#include <vector>

static int check(int value) {
  return value;
}

class Canvas {
public:
  int draw(Shape &shape, const geo::Square *square) {
    return shape.area() + square->square();
  }

  void fill() {
    std::vector<int> values;
    values.push(1);
    values.push_back(check(2));
    shape->area();
  }

private:
  std::unique_ptr<geo::Circle> shape;
};

int run(int (*check)(int)) {
  return check(1);
}

int main() {
  Canvas canvas;
  geo::Circle *circle = geo::Circle::make();
  canvas.draw(*circle, nullptr);
  circle->square();
  auto other = new geo::Square();
  other->area();
  canvas.fill();
  run(check);
}
