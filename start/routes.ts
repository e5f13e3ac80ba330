/**
 * The table of contents: each section owns its routes.
 */
import '#core/routes'
import '#app/checks/routes'
