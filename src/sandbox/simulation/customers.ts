import type { CustomerRegion } from './catalog.ts';
import { hashNumbers, randomTopics } from './seeded-random.ts';

/** A customer as shown on statements, in webhooks and in PDFs. */
export interface Customer {
  firstName: string;
  lastName: string;
  organization: string | null;
  email: string;
  phone: string | null;
  reference: string | null;
  address: string;
  address2: string | null;
  city: string;
  state: string;
  zip: string;
  country: string;
}

interface Locale {
  first: readonly string[];
  last: readonly string[];
  streets: readonly string[];
  cities: readonly [city: string, zip: string][];
  companies: readonly string[];
  suffixes: readonly string[];
}

/** Creates a locale from comma-separated lists. Each city is followed by its postal code, for example `Boston:02110`. */
function createLocale(lists: Record<keyof Locale, string>): Locale {
  const { cities, first, last, streets, companies, suffixes } = lists;
  return {
    first: first.split(','),
    last: last.split(','),
    streets: streets.split(','),
    cities: cities.split(',').map((city) => city.split(':') as [string, string]),
    companies: companies.split(','),
    suffixes: suffixes.split(','),
  };
}

const english = {
  first:
    'Amelia,James,Olivia,Noah,Grace,Henry,Chloe,Samuel,Ruth,Peter,Nadia,Marcus,Ellen,Owen,Priya,Daniel,Abigail,Theo',
  last: "Example,Hart,Nguyen,O'Brien,Fletcher,Okafor,Bennett,Castillo,Whitfield,Larsen,Mercer,Patel,Sutton,Abrams,Vance,Doyle",
  streets: 'Main St,Commerce St,Harbor Rd,Elm Ave,Mill Lane,Station Rd,Second Ave,Orchard Way',
  companies:
    'Northwind Dental,Blue Door Books,Cedar & Pine,Fairlight Studio,Granite Works,Lantern Labs,Millbrook Farm,Osprey Freight,Quarry Street Coffee,Redwood Legal,Saltbox Homes,Tidewater Marine,Umbra Design,Wren & Co',
  suffixes: 'LLC,Inc.,,Ltd,Group',
};

const inCities = (cities: string): Locale => createLocale({ ...english, cities });

const locales: Record<string, Locale> = {
  'US MA': inCities('Boston:02110,Somerville:02143,Worcester:01608'),
  'US NY': inCities('New York:10013,Brooklyn:11201,Buffalo:14202'),
  'US TX': inCities('Austin:78701,Houston:77002,El Paso:79901'),
  'US CA': inCities('Oakland:94607,San Diego:92101,Fresno:93721'),
  'US OR': inCities('Portland:97205,Eugene:97401'),
  'GB London': inCities('London:EC1A 4HY,London:SE1 9GF'),
  'CA QC': createLocale({
    ...english,
    first: 'Élodie,Mathieu,Geneviève,Luc,Maude,Étienne',
    last: 'Tremblay,Gagné,Côté,Bélanger,Lefrançois',
    cities: 'Montréal:H2Y 1C6,Québec:G1R 4P5',
  }),
  'DE Bayern': createLocale({
    first: 'Jürgen,Annelie,Björn,Käthe,Matthias,Sören,Lena',
    last: 'Müller,Weiß,Schröder,Krämer,Vogel,Größ',
    streets: 'Hauptstraße,Bahnhofstraße,Lindenweg,Am Marktplatz',
    cities: 'München:80331,Nürnberg:90402,Würzburg:97070',
    companies: 'Brückner Maschinenbau,Grünwald Optik,Isar Software,Alpenhof',
    suffixes: 'GmbH,AG,e.K.',
  }),
  'FR Île-de-France': createLocale({
    first: 'Éloïse,François,Zoé,Jérôme,Anaïs,Benoît',
    last: "Lefèvre,Garçon,Dubois,L'Hermite,Chénier",
    streets: 'rue de la Paix,avenue Foch,rue des Écoles,quai de Valmy',
    cities: 'Paris:75011,Versailles:78000',
    companies: 'Boulangerie Chénier,Atelier du Canal,Société Lumière,Pâtisserie Élan',
    suffixes: 'SARL,SAS,',
  }),
  'JP 東京都': createLocale({
    first: '花子,太郎,美咲,健一,直子',
    last: '山田,佐藤,高橋,渡辺,斎藤',
    streets: '神宮前,西新宿,本郷,銀座',
    cities: '渋谷区:150-0001,新宿区:160-0023,文京区:113-0033',
    companies: '青空システム,桜井商店,富士見デザイン',
    suffixes: '株式会社,合同会社',
  }),
  'BR São Paulo': createLocale({
    first: 'João,Conceição,Luís,Inês,Antônio,Márcia',
    last: 'Gonçalves,Araújo,Assunção,Magalhães,Peçanha',
    streets: 'Avenida Paulista,Rua Augusta,Rua da Consolação',
    cities: 'São Paulo:01310-100,Campinas:13010-050',
    companies: 'Padaria São João,Estúdio Aurora,Construções Araújo',
    suffixes: 'Ltda.,S.A.,ME',
  }),
};

/** Returns a subscription's customer, as determined by the seed and the subscription's number. */
export function createCustomer(seed: number, subscription: number, region: CustomerRegion): Customer {
  const locale = locales[`${region.country} ${region.state}`] as Locale;
  const draw = (n: number): number => hashNumbers(seed, subscription, randomTopics.name, n);
  const choose = <T>(list: readonly T[], n: number): T => list[draw(n) % list.length] as T;
  const [city, zip] = choose(locale.cities, 3);
  const suffix = choose(locale.suffixes, 5);
  const organization =
    draw(6) % 10 < 7 ? `${choose(locale.companies, 4)}${suffix ? ` ${suffix}` : ''}` : null;
  return {
    firstName: choose(locale.first, 1),
    lastName: choose(locale.last, 2),
    organization,
    email: `billing+${subscription + 1}@example.com`,
    phone: draw(7) % 3 === 0 ? `555-01${String(draw(8) % 100).padStart(2, '0')}` : null,
    reference: draw(9) % 2 === 0 ? `C-${String(subscription + 1001)}` : null,
    address: `${(draw(10) % 980) + 1} ${choose(locale.streets, 11)}`,
    address2: draw(12) % 4 === 0 ? `Suite ${(draw(13) % 40) + 1}` : null,
    city,
    state: region.state,
    zip,
    country: region.country,
  };
}

/** Latin transliterations of names, for fonts that only have Latin letters. */
export const LATIN_TRANSLITERATIONS: Readonly<Record<string, string>> = {
  花子: 'Hanako',
  太郎: 'Taro',
  美咲: 'Misaki',
  健一: 'Kenichi',
  直子: 'Naoko',
  山田: 'Yamada',
  佐藤: 'Sato',
  高橋: 'Takahashi',
  渡辺: 'Watanabe',
  斎藤: 'Saito',
  神宮前: 'Jingumae',
  西新宿: 'Nishi-Shinjuku',
  本郷: 'Hongo',
  銀座: 'Ginza',
  渋谷区: 'Shibuya-ku',
  新宿区: 'Shinjuku-ku',
  文京区: 'Bunkyo-ku',
  東京都: 'Tokyo',
  青空システム: 'Aozora Systems',
  桜井商店: 'Sakurai Shoten',
  富士見デザイン: 'Fujimi Design',
  株式会社: 'K.K.',
  合同会社: 'G.K.',
};
