import type { HttpContext } from '@adonisjs/core/http'
import { ifMatch, tagged } from '#core/http/etag'
import { idParam } from '#core/http/path_params'
import { dryRunValidator } from '#core/validation/dry_run_validator'
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
    return successEnvelope(tagged(ctx, brandResource(brand)))
  }

  /** Create a brand. Only super admins can set `smtp`, `dkim`, `emailFrom` and `replyTo`. */
  async store(ctx: HttpContext) {
    const fields = await createBrandValidator.validate(ctx.request.body())
    const brand = await createBrand(fields, ctx.panelAccess)
    return ctx.response.created(successEnvelope(tagged(ctx, brandResource(brand))))
  }

  /**
   * Update a brand. Fields that are not sent stay as they are. Only super admins can change
   * `smtp`, `dkim`, `emailFrom` and `replyTo`. To change `host`, `port`, `secure` or `user` of a
   * stored SMTP account, or to lower its `tls`, send `password` as well, or null for no password.
   */
  async update(ctx: HttpContext) {
    const id = idParam(ctx, 'id')
    const fields = await updateBrandValidator.validate(ctx.request.body())
    const fresh = ifMatch(ctx, brandResource)
    const brand = await updateBrand(id, fields, ctx.panelAccess, fresh)
    return successEnvelope(tagged(ctx, brandResource(brand)))
  }

  /**
   * Delete a brand. The default brand cannot be deleted. Only super admins can delete a brand with
   * mail settings. With `dryRun=true`, nothing is deleted and the response lists what would be.
   */
  async destroy(ctx: HttpContext) {
    const { dryRun } = await dryRunValidator.validate(ctx.request.qs())
    const options = { dryRun, requireFresh: ifMatch(ctx, brandResource) }
    const preview = await deleteBrand(idParam(ctx, 'id'), ctx.panelAccess, options)
    return preview ? successEnvelope(preview) : ctx.response.noContent()
  }
}
