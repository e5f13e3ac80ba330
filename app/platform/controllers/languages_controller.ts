import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { createLanguage, deleteLanguage, updateLanguage } from '#app/platform/actions/save_language'
import Language from '#app/platform/models/language'
import { languageResource } from '#app/platform/transformers/language'
import {
  createLanguageValidator,
  updateLanguageValidator,
} from '#app/platform/validators/language_validator'

/** The platform's language registry (platform.md#languages). */
export default class LanguagesController {
  /** Lists the languages of the platform. */
  async index() {
    const languages = await Language.query().orderBy('id')
    return successEnvelope(languages.map(languageResource))
  }

  /** Adds a language. */
  async store({ request, response }: HttpContext) {
    const fields = await createLanguageValidator.validate(request.body())
    return response.created(successEnvelope(languageResource(await createLanguage(fields))))
  }

  /** Changes a language. */
  async update(ctx: HttpContext) {
    const fields = await updateLanguageValidator.validate(ctx.request.body())
    return successEnvelope(languageResource(await updateLanguage(textParam(ctx, 'code'), fields)))
  }

  /** Removes a language that nothing uses. */
  async destroy(ctx: HttpContext) {
    await deleteLanguage(textParam(ctx, 'code'))
    return ctx.response.noContent()
  }
}
