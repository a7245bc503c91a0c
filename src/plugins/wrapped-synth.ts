import { App } from 'cdk8s';

/**
 * Puts `wrapper` around the method `synth` of this one app. It is given the method as it was.
 *
 * The app gets a class of its own, because the runtime of jsii looks a method up on the prototype of the object's
 * constructor: from Python, Java, Go and .NET a method of the object alone would never be called. There a subclass that
 * overrides `synth` has it as a property that cannot be written, and calls the one of the class. In JavaScript somebody
 * else's wrapper may be a property of the object, which goes before the class.
 */
export function wrapSynth(app: App, wrapper: (synth: () => void) => void): void {
  const { synth } = Object.getPrototypeOf(app) as App;
  class JudgedApp extends (app.constructor as typeof App) {
    public override synth(): void {
      wrapper(synth);
    }
  }
  Object.defineProperty(JudgedApp, 'name', { value: app.constructor.name });
  Object.setPrototypeOf(app, JudgedApp.prototype);

  const own = Object.getOwnPropertyDescriptor(app, 'synth');
  if (own?.writable) {
    app.synth = () => wrapper(own.value);
  }
}
