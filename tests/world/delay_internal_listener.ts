import { Server } from 'node:net'

/** Loaded with `--import`: `INTERNAL_PORT` starts to listen 1.5 s late. */
const listen = Server.prototype.listen as (...args: unknown[]) => Server
Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  if (Number(args[0]) !== Number(process.env.INTERNAL_PORT)) return listen.apply(this, args)
  setTimeout(() => listen.apply(this, args), 1_500)
  return this
} as Server['listen']
