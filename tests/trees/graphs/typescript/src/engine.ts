export default class Engine {
  static make(): Engine {
    return new Engine();
  }

  turn(): number {
    return 1;
  }
}
