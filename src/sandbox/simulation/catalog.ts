export interface CatalogProduct {
  readonly id: number;
  readonly name: string;
  readonly handle: string;
  readonly price: number;
}

export type CatalogComponentKind = 'quantity_based_component' | 'on_off_component' | 'metered_component';

export interface CatalogComponent {
  readonly id: number;
  readonly name: string;
  readonly unit: string;
  readonly kind: CatalogComponentKind;
  /** Price per unit and month in cents. */
  readonly price: number;
}

export const PRODUCT_FAMILY = { id: 527890, name: 'Harbor Analytics', handle: 'harbor-analytics' } as const;

/** Products of the merchant, with few different prices, as on real sites. `share` is the share of customers. */
export const catalogProducts: readonly (CatalogProduct & { share: number })[] = [
  { id: 3792003, name: 'Starter', handle: 'starter', price: 1900, share: 0.22 },
  { id: 3792004, name: 'Basic', handle: 'basic', price: 2900, share: 0.28 },
  { id: 3792007, name: 'Team', handle: 'team', price: 4900, share: 0.22 },
  { id: 3792011, name: 'Pro', handle: 'pro', price: 9900, share: 0.16 },
  { id: 3792018, name: 'Business', handle: 'business', price: 19900, share: 0.08 },
  { id: 3792023, name: 'Scale', handle: 'scale', price: 29900, share: 0.04 },
];

export const catalogComponents: readonly CatalogComponent[] = [
  { id: 277221, name: 'Seats', unit: 'seat', kind: 'quantity_based_component', price: 900 },
  { id: 277222, name: 'Storage packs', unit: 'pack', kind: 'quantity_based_component', price: 250 },
  { id: 277225, name: 'Priority support', unit: 'on/off', kind: 'on_off_component', price: 4900 },
  { id: 277230, name: 'API calls', unit: 'call', kind: 'metered_component', price: 0 },
];

export const SEATS_COMPONENT_INDEX = 0;
export const STORAGE_COMPONENT_INDEX = 1;
export const SUPPORT_COMPONENT_INDEX = 2;
export const CALLS_COMPONENT_INDEX = 3;

export interface CatalogCoupon {
  readonly code: string;
  readonly name: string;
  /** Discount in percent on every charge for the product. */
  readonly percent: number;
}

export const catalogCoupons: readonly CatalogCoupon[] = [
  { code: 'NONPROFIT20', name: 'Non-profit 20% off', percent: 20 },
  { code: 'FRIENDS10', name: 'Friends 10% off', percent: 10 },
];

/** A region in which customers live. `rate` is its tax rate in thousandths of a percent; 0 means no tax. */
export interface CustomerRegion {
  readonly country: string;
  readonly state: string;
  readonly tax: string;
  readonly rate: number;
  readonly share: number;
}

export const customerRegions: readonly CustomerRegion[] = [
  { country: 'US', state: 'MA', tax: 'MA Tax (6.25%)', rate: 6250, share: 0.1 },
  { country: 'US', state: 'NY', tax: 'NY Tax (8.875%)', rate: 8875, share: 0.14 },
  { country: 'US', state: 'TX', tax: 'TX Tax (8.25%)', rate: 8250, share: 0.1 },
  { country: 'US', state: 'CA', tax: '', rate: 0, share: 0.18 },
  { country: 'US', state: 'OR', tax: '', rate: 0, share: 0.08 },
  { country: 'GB', state: 'London', tax: '', rate: 0, share: 0.1 },
  { country: 'DE', state: 'Bayern', tax: 'MwSt. (19%)', rate: 19000, share: 0.08 },
  { country: 'FR', state: 'Île-de-France', tax: 'TVA (20%)', rate: 20000, share: 0.06 },
  { country: 'JP', state: '東京都', tax: '', rate: 0, share: 0.05 },
  { country: 'BR', state: 'São Paulo', tax: '', rate: 0, share: 0.05 },
  { country: 'CA', state: 'QC', tax: 'GST/QST (14.975%)', rate: 14975, share: 0.06 },
];

/** Returns the list item whose share of the range [0, 1) contains `draw`. */
export function pickItemByShare<T extends { share: number }>(list: readonly T[], draw: number): T {
  let sum = 0;
  for (const item of list) {
    sum += item.share;
    if (draw < sum) return item;
  }
  return list.at(-1) as T;
}

/** Returns the tax on an amount, rounded to whole cents. */
export const computeTax = (amount: number, region: CustomerRegion): number =>
  Math.round((amount * region.rate) / 100_000);
