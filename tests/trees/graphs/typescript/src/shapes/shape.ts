export interface Shape {
  area(): number;
  scale(factor: number): Shape;
}

export abstract class Base implements Shape {
  protected log = new Log();

  abstract area(): number;

  scale(factor: number): Shape {
    this.log.push(factor);
    return this;
  }

  describe(): string {
    return format(this.area());
  }
}

export class Log {
  private entries: number[] = [];

  push(entry: number) {
    this.entries.push(entry);
  }
}

function format(value: number) {
  return value.toString();
}
