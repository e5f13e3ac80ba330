import type { CommandOptions } from '@adonisjs/core/types/ace'
import { GeneratedPage, helpFor } from '#development/commands/generated_page'

/** Writes the error reference from the problems that the code defines. */
export default class ErrorsReference extends GeneratedPage {
  static override commandName = 'errors:reference'
  static override description = 'Write docs/reference/errors.md from the problems in the code'
  static override help = helpFor('errors:reference')
  static override options: CommandOptions = { startApp: true }

  override readonly file = 'docs/reference/errors.md'

  override async render() {
    const { renderErrorsReference } = await import('#core/exceptions/render_errors_reference')
    return renderErrorsReference()
  }
}
