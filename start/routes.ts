/**
 * The table of contents: each section owns its routes.
 */
import '#core/routes'
import '#app/platform/routes'
import '#app/applications/routes'
import '#app/permissions/routes'
import '#app/profiles/routes'
import '#app/checks/routes'
import '#app/notifications/routes'
import '#app/notifications/self_service_routes'
import '#app/notifications/log_routes'
import '#app/delivery/routes'
import '#app/broadcasts/routes'
import '#app/identity_provider/routes'
