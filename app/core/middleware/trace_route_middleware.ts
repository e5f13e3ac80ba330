import OtelMiddleware from '@adonisjs/otel/otel_middleware'

/** Names a span after its route, without facts about the caller. */
export default class TraceRouteMiddleware extends OtelMiddleware {
  constructor() {
    super({ userContext: false })
  }
}
