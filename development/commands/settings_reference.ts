import { GeneratedPage, helpFor } from '#development/commands/generated_page'

/** Writes the configuration reference from the settings in `start/env.ts`. */
export default class SettingsReference extends GeneratedPage {
  static override commandName = 'settings:reference'
  static override description = 'Write docs/reference/configuration.md from start/env.ts'
  static override help = helpFor('settings:reference')

  override readonly file = 'docs/reference/configuration.md'

  override async render() {
    // Loads the TypeScript compiler, which would double the time in which any other command starts.
    const { renderSettingsReference } = await import('#development/settings_reference')
    return renderSettingsReference(this.app.makePath())
  }
}
