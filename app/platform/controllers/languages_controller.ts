import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
import { successEnvelope } from '#core/values/envelopes'
import { createLanguage } from '#app/platform/actions/create_language'
import { deleteLanguage } from '#app/platform/actions/delete_language'
import { updateLanguage } from '#app/platform/actions/update_language'
import Language from '#app/platform/models/language'
import { languageResource } from '#app/platform/transformers/language_resource'
import {
  createLanguageValidator,
  updateLanguageValidator,
} from '#app/platform/validators/language_validator'

/** See platform.md#languages. */
export default class LanguagesController {
  /** List the languages of the platform. */
  async index() {
    const languages = await Language.query().orderBy('id')
    return successEnvelope(languages.map(languageResource))
  }

  /** Create a language. */
  async store({ request, response }: HttpContext) {
    const fields = await createLanguageValidator.validate(request.body())
    return response.created(successEnvelope(languageResource(await createLanguage(fields))))
  }

  /** Update a language. */
  async update(ctx: HttpContext) {
    const fields = await updateLanguageValidator.validate(ctx.request.body())
    return successEnvelope(languageResource(await updateLanguage(textParam(ctx, 'code'), fields)))
  }

  /**
   * Delete a language. Only languages that nothing uses can be deleted. With `dryRun=true`, nothing
   * is deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const preview = await deleteLanguage(textParam(ctx, 'code'), dryRun)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
