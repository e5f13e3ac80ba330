import type { HttpContext } from '@adonisjs/core/http'
import { idParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { createBrand } from '#app/platform/actions/create_brand'
import { deleteBrand } from '#app/platform/actions/delete_brand'
import { updateBrand } from '#app/platform/actions/update_brand'
import { findBrand } from '#app/platform/actions/find_brand'
import Brand from '#app/platform/models/brand'
import { brandResource } from '#app/platform/transformers/brand_resource'
import {
  createBrandValidator,
  updateBrandValidator,
} from '#app/platform/validators/brand_validator'

/** See platform.md#brands. */
export default class BrandsController {
  /** List the brands. */
  async index() {
    const brands = await Brand.query().orderBy('id')
    return successEnvelope(brands.map(brandResource))
  }

  /** Get a brand. */
  async show(ctx: HttpContext) {
    const brand = await findBrand(idParam(ctx, 'id'))
    return successEnvelope(brandResource(brand))
  }

  /** Create a brand. Only super admins can set `smtp`, `dkim`, `emailFrom` and `replyTo`. */
  async store({ request, response, panelAccess }: HttpContext) {
    const fields = await createBrandValidator.validate(request.body())
    return response.created(successEnvelope(brandResource(await createBrand(fields, panelAccess))))
  }

  /**
   * Update a brand. Fields that are not sent stay as they are. Only super admins can change
   * `smtp`, `dkim`, `emailFrom` and `replyTo`. To change `host`, `port`, `secure` or `user` of a
   * stored SMTP account, or to lower its `tls`, send `password` as well, or null for no password.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateBrandValidator.validate(ctx.request.body())
    return successEnvelope(brandResource(await updateBrand(id, fields, ctx.panelAccess)))
  }

  /**
   * Delete a brand. The default brand cannot be deleted. Only super admins can delete a brand with
   * mail settings.
   */
  async destroy(ctx: HttpContext) {
    await deleteBrand(idParam(ctx, 'id'), ctx.panelAccess)
    return ctx.response.noContent()
  }
}
