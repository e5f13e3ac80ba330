import OtelMiddleware from '@adonisjs/otel/otel_middleware'

/** Names a request's span after its route; nothing about the caller goes into it. */
export default class TraceRouteMiddleware extends OtelMiddleware {
  constructor() {
    super({ userContext: false })
  }
}
