import type { HttpContext } from '@adonisjs/core/http'
import { idParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { createBrand, deleteBrand, updateBrand } from '#app/platform/actions/save_brand'
import { BrandNotFound } from '#app/platform/exceptions'
import Brand from '#app/platform/models/brand'
import { brandResource } from '#app/platform/transformers/brand'
import {
  createBrandValidator,
  updateBrandValidator,
} from '#app/platform/validators/brand_validator'

/** See platform.md#brands. */
export default class BrandsController {
  /** Lists the brands. */
  async index() {
    const brands = await Brand.query().orderBy('id')
    return successEnvelope(brands.map(brandResource))
  }

  /** Reads a brand. */
  async show(ctx: HttpContext) {
    const brand = await Brand.find(idParam(ctx, 'id'))
    if (!brand) throw new BrandNotFound()
    return successEnvelope(brandResource(brand))
  }

  /** Creates a brand. Only super admins can set `smtp`, `dkim`, `emailFrom` and `replyTo`. */
  async store({ request, response, panelAccess }: HttpContext) {
    const fields = await createBrandValidator.validate(request.body())
    return response.created(successEnvelope(brandResource(await createBrand(fields, panelAccess))))
  }

  /**
   * Changes a brand; only the fields that are sent. Only super admins can change `smtp`, `dkim`,
   * `emailFrom` or `replyTo`. Changing `host`, `port`, `secure` or `user` of a stored SMTP account,
   * or lowering its `tls`, requires `password` in the same request, or null for no password.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateBrandValidator.validate(ctx.request.body())
    return successEnvelope(brandResource(await updateBrand(id, fields, ctx.panelAccess)))
  }

  /**
   * Deletes a brand, unless it is the default one. Only super admins can delete a brand with mail
   * settings.
   */
  async destroy(ctx: HttpContext) {
    await deleteBrand(idParam(ctx, 'id'), ctx.panelAccess)
    return ctx.response.noContent()
  }
}
