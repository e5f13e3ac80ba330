/** Loaded with `--import`: a process that lives later than the test. */
const ahead = Number(process.env.CLOCK_AHEAD_MS)

globalThis.Date = new Proxy(Date, {
  construct: (target, args: [number]) =>
    args.length > 0 ? new target(...args) : new target(target.now() + ahead),
  get: (target, name) =>
    name === 'now' ? () => target.now() + ahead : (Reflect.get(target, name) as unknown),
})
