import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'
import { createContext } from '#core/http/create_context'
import { reuseInstances } from '#core/http/reuse_instances'
import { isTracing } from '#core/process/tracing'

server.errorHandler(() => import('#core/exceptions/handler'))
server.createHttpContext = createContext
if (isTracing) router.use([() => import('#core/middleware/trace_route_middleware')])

/**
 * One guard per authentication class, then guards of management endpoints. `json` follows the
 * guards (conventions.md#order-of-refusals).
 */
export const middleware = reuseInstances(
  router.named({
    token: () => import('#app/auth/middleware/token_middleware'),
    streamCaller: () => import('#app/inbox/middleware/stream_caller_middleware'),
    internalKey: () => import('#app/auth/middleware/internal_key_middleware'),
    ownApplication: () => import('#app/auth/middleware/own_application_middleware'),
    providerSignature: () =>
      import('#app/identity_provider/middleware/provider_signature_middleware'),
    webhook: () => import('#app/identity_provider/middleware/webhook_middleware'),
    privateNetwork: () => import('#app/auth/middleware/private_network_middleware'),
    docs: () => import('#app/auth/middleware/docs_middleware'),
    member: () => import('#app/auth/middleware/member_middleware'),
    panel: () => import('#app/auth/middleware/panel_middleware'),
    internalType: () => import('#app/notifications/middleware/internal_type_middleware'),
    editableType: () => import('#app/notifications/middleware/editable_type_middleware'),
    templatePanel: () => import('#app/notifications/middleware/template_panel_middleware'),
    developmentOnly: () => import('#app/auth/middleware/development_only_middleware'),
    authzenTransport: () => import('#app/authzen/middleware/authzen_transport_middleware'),
    authzenCaller: () => import('#app/authzen/middleware/authzen_caller_middleware'),
    freshness: () => import('#app/checks/middleware/freshness_middleware'),
    inTurn: () => import('#core/middleware/read_turn_middleware'),
    json: () => import('#core/middleware/json_body_middleware'),
  })
)
