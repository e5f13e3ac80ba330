import type { HttpContext } from '@adonisjs/core/http'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { applyBranding } from '#app/identity_provider/organisations/apply_branding'
import { createOrganisation } from '#app/identity_provider/organisations/create_organisation'
import { setUpOrganisation } from '#app/identity_provider/organisations/set_up_organisation'
import { listOrganisations } from '#app/identity_provider/zitadel/organisations'
import {
  brandingValidator,
  createOrganisationValidator,
  setUpOrganisationValidator,
} from '#app/identity_provider/validators/organisation_validator'

/** Organisations at the identity provider (identity-provider.md#administration-of-the-provider). */
export default class OrganisationsController {
  /** Lists the organisations. */
  async index() {
    return successEnvelope(await listOrganisations())
  }

  /** Creates an organisation with its domain. One that an earlier attempt left incomplete is completed. */
  async store({ request, response }: HttpContext) {
    const fields = await createOrganisationValidator.validate(request.body())
    return response.created(successEnvelope(await createOrganisation(fields)))
  }

  /** Gives an organisation its look and activates it. The logo is copied from its address. */
  async brand(ctx: HttpContext) {
    const orgId = textParam(ctx, 'orgId')
    const { primaryColor, logoUrl } = await brandingValidator.validate(ctx.request.body())
    return successEnvelope(await applyBranding(orgId, { primaryColor, logoUrl: logoUrl ?? null }))
  }

  /**
   * Gives the people of an organisation a way into an application. Makes project and OIDC client where there are none of
   * these names, and remembers the client for the application's synchronisation.
   */
  async setup(ctx: HttpContext) {
    const orgId = textParam(ctx, 'orgId')
    const fields = await setUpOrganisationValidator.validate(ctx.request.body())
    return successEnvelope(await setUpOrganisation(orgId, fields))
  }
}
