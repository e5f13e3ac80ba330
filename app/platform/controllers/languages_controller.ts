import type { HttpContext } from '@adonisjs/core/http'
import { ifMatch, tagged } from '#core/http/etag'
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
  async store(ctx: HttpContext) {
    const fields = await createLanguageValidator.validate(ctx.request.body())
    const language = await createLanguage(fields)
    return ctx.response.created(successEnvelope(tagged(ctx, languageResource(language))))
  }

  /** Update a language. */
  async update(ctx: HttpContext) {
    const fields = await updateLanguageValidator.validate(ctx.request.body())
    const fresh = ifMatch(ctx, languageResource)
    const language = await updateLanguage(textParam(ctx, 'code'), fields, fresh)
    return successEnvelope(tagged(ctx, languageResource(language)))
  }

  /**
   * Delete a language. Only languages that nothing uses can be deleted. With `dryRun=true`, nothing
   * is deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, languageResource) }
    const preview = await deleteLanguage(textParam(ctx, 'code'), options)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
