import type Application from '#app/applications/models/application'
import type Brand from '#app/platform/models/brand'
import { brandColors } from '#app/notifications/rendering/brand_colors'

export interface Recipient {
  email: string
  name: string
  brand: Brand
}

/** These take precedence over the data of a request (notifications.md#service-variables). */
export const SERVICE_VARIABLES = [
  'appName',
  'orgName',
  'userName',
  'userEmail',
  'currentYear',
  'brandColor',
  'brandTextColor',
] as const

export type ServiceVariables = Record<(typeof SERVICE_VARIABLES)[number], string>

export function serviceVariables(
  application: Application,
  { email, name, brand }: Recipient
): ServiceVariables {
  const { primary, onPrimary } = brandColors(brand)
  return {
    appName: application.name,
    orgName: brand.name,
    userName: name,
    userEmail: email,
    currentYear: String(new Date().getUTCFullYear()),
    brandColor: primary,
    brandTextColor: onPrimary,
  }
}

export function isServiceVariable(name: string): name is keyof ServiceVariables {
  return (SERVICE_VARIABLES as readonly string[]).includes(name)
}
