export {
  DEVELOPMENT_ACCOUNTS,
  DEVELOPMENT_ORGANISATION,
  DEVELOPMENT_PASSWORD,
  type DevelopmentAccount,
} from './accounts.ts'
export type { IdentityProviderOptions, RunningIdentityProvider } from './options.ts'
export { type MintOptions, mintToken } from './mint_token.ts'
export { startIdentityProvider } from './server.ts'
