import { Base } from './shape';

export class Square extends Base {
  area() {
    return this.square();
  }

  square() {
    return 4;
  }

  push(entry: number) {
    return entry;
  }
}
