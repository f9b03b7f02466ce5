const once = require('./once');

function setUp() {
  once(() => 1);
}

exports.setUp = setUp;
