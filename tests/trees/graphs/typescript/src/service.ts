import { Round, Shape, Square } from './shapes';
import Disk from './shapes/circle';
import * as util from './util';
import { get as fetchKey, parse, Parser } from './util';
import { readFile } from 'fs';

export class Service {
  private shapes: Shape[] = [];
  private parser: Parser;

  constructor(private square: Square, parser: Parser) {
    this.parser = parser;
  }

  run(map: Map<string, string>) {
    const circle = Round.unit();
    circle.area();
    this.shapes.push(circle);
    map.get('x');
    fetchKey('y');
    util.get('z');
    readFile('f', () => this.square.area());
  }

  read() {
    const parser = parse('text');
    parser.next();
    this.parser.peek();
    new Parser('more').next();
  }

  shadow(format: (text: string) => string) {
    return format('x');
  }

  draw(shape: Shape) {
    shape.area();
    const disk: Disk = new Disk(1);
    disk.describe();
    disk.square();
  }

  shadowModule(util: { get(key: string): string }) {
    return util.get('x');
  }
}

export function overload(value: string): void;
export function overload(value: number): void;
export function overload(value: unknown): void {
  check(value);
}

function check(value: unknown) {
  const format = (inner: unknown) => inner;
  format(value);
}

export function start() {
  const service = new Service(new Square(), parse(''));
  service.run(new Map());
  service.read();
  overload('x');
}
