import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { replaceApplicationBrands } from '#app/applications/actions/replace_application_brands'
import Application from '#app/applications/models/application'
import { readBrands } from '#app/applications/validators/application_brands_validator'

/** See applications.md#brands-of-an-application. */
export default class ApplicationBrandsController {
  /** List the brands of an application. The brands are listed as slugs. */
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    await application.load('brands', (brands) => brands.orderBy('brands.id'))
    return successEnvelope(application.brands.map(({ slug }) => slug))
  }

  /** Replace the brands of an application. Send an array of slugs, or `{"brands": […]}`. */
  async update(ctx: HttpContext) {
    const brands = await readBrands(ctx.request.body())
    return successEnvelope(await replaceApplicationBrands(textParam(ctx, 'appCode'), brands))
  }
}
