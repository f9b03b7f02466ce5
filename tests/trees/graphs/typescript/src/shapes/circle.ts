import { Base } from './shape';
import { format } from '../util';

export class Circle extends Base {
  constructor(private radius: number) {
    super();
  }

  area() {
    return this.square() * 3;
  }

  square() {
    return this.radius * this.radius;
  }

  describe() {
    return format(super.describe());
  }

  static unit(): Circle {
    return new Circle(1);
  }
}

export default Circle;
