import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { success } from '#core/values/envelopes'
import { replaceApplicationBrands } from '#app/applications/actions/replace_application_brands'
import Application from '#app/applications/models/application'
import { applicationBrandsValidator } from '#app/applications/validators/application_brands_validator'

/** The brands of an application, as slugs (decisions 3.8). */
export default class ApplicationBrandsController {
  async index(ctx: HttpContext) {
    const application = await Application.withCode(textParam(ctx, 'appCode'))
    await application.load('brands', (brands) => brands.orderBy('brands.id'))
    return success(application.brands.map(({ slug }) => slug))
  }

  /** Takes the array the way `index` gives it, or as `{brands: […]}`. */
  async update(ctx: HttpContext) {
    const body: unknown = ctx.request.body()
    const input = await applicationBrandsValidator.validate(
      Array.isArray(body) ? { brands: body } : body
    )
    return success(await replaceApplicationBrands(textParam(ctx, 'appCode'), input.brands))
  }
}
