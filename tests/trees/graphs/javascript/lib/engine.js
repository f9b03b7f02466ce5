class Motor {
  size() {
    return 1;
  }
}

export class Engine {
  static make() {
    return new Engine();
  }

  size() {
    return 2;
  }
}

export { Motor as default };
