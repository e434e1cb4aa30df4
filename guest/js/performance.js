// performance.now and performance.timeOrigin (https://w3c.github.io/hr-time): whole milliseconds of the run's clock.
(function (native, kit) {
  'use strict';

  const { now, started } = native;
  const makesPerformance = { __proto__: null };

  class Performance extends kit.EventTarget {
    #brand;

    constructor(secret) {
      if (secret !== makesPerformance) throw new kit.TypeError('Performance cannot be constructed: use the global performance');
      super();
    }

    get timeOrigin() {
      this.#brand;
      return started();
    }

    now() {
      this.#brand;
      return now() - started();
    }

    toJSON() {
      this.#brand;
      return { timeOrigin: started() };
    }
  }

  kit.platformClass(Performance);
  kit.define(kit.global, 'performance', new Performance(makesPerformance));
});
