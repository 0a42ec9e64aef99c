/** Parts of invented names. Any resemblance to a customer is a coincidence. */
export const firstNames =
  'Anna Adele Albert Alma Arne Bela Britta Bruno Carla Caspar Clemens Dora Doris Edgar Elin Elsa Emil Erik Esther Ewald Fabian Fiona Frieda Gerda Gesa Gregor Hanna Harald Heike Holger Ida Ingrid Ivo Jana Jasper Jette Josef Karin Katja Knut Lars Leonie Lotte Lukas Malte Marlene Mats Meike Mona Nils Nora Oskar Ottilie Paula Pernille Quentin Ralf Rosa Ruben Sabine Silas Svea Tabea Thies Tilda Ulf Ursula Valentin Vera Wanda Wiebke Yannick Yvette Zita'.split(
    ' ',
  );

export const surnames =
  "Ahlers Baumgarten Behrens Brandt Brauer Carstens Claussen Dressler Dörfler Eggers Ehlers Feddersen Fink Frantzen Gärtner Grothe Hagedorn Hauser Heller Holm Ibsen Jessen Kaiser Kessler Knoll König Kramer Kröger Lindner Lorenzen Lüders Mahler Meinert Mertens Möller Nagel Nissen Oldach Ostermann Paulsen Petersen Quast Rathke Reimers Rohde Sander Schilling Schröder Seidel Stamm Steffens Thomsen Tiedemann Uhlig Vogt Voss Weber Wegner Wulff Zander Ziegler O'Brien O'Hara O'Malley O'Neill D'Angelo D'Amico".split(
    ' ',
  );

export const surnamesWithParticle = [
  'van Dijk',
  'van der Meer',
  'van den Berg',
  'de Boer',
  'de Vries',
  'de la Cruz',
  'von Ahn',
  'von Bergen',
  'di Marco',
  'el Amrani',
  'ten Brink',
  'le Goff',
] as const;

export const companyKinds =
  'Bäckerei Brauerei Dachbau Druckerei Elektro Fahrschule Fliesen Gärtnerei Gasthof Glaserei Hotel Imkerei Kanzlei Kellerei Klempnerei Logistik Malerbetrieb Metallbau Mühle Optik Pension Praxis Reederei Sägewerk Schlosserei Spedition Tischlerei Verlag Weingut Werkzeugbau Zimmerei'.split(
    ' ',
  );

export const companyForms = [
  'GmbH',
  'AG',
  'KG',
  'OHG',
  'e.K.',
  'GmbH & Co. KG',
  'UG',
  '& Söhne KG',
  '& Partner',
  'Holding AG',
  'Service GmbH',
  'Handels GmbH',
] as const;

export const englishStems =
  'Acorn Alder Anchor Arbor Beacon Birch Bluebell Cedar Cobalt Copper Cresta Dovetail Ember Falcon Fern Flint Foxglove Garnet Granite Harbor Hazel Heron Indigo Juniper Kestrel Larch Lantern Linden Maple Meridian Nettle Onyx Osprey Pebble Pinnacle Quarry Raven Rowan Saffron Sparrow Summit Tamarack Thistle Umber Vale Willow Yarrow Zephyr'.split(
    ' ',
  );

export const englishTrades =
  'Analytics Bakery Builders Catering Components Design Dental Electric Fabrics Foods Freight Furniture Hardware Imports Instruments Labs Logistics Media Motors Optics Packaging Plastics Printing Robotics Software Steel Studios Supplies Systems Textiles Tools Trading'.split(
    ' ',
  );

export const englishForms = [
  'Ltd',
  'LLC',
  'Inc',
  'PLC',
  'Group Ltd',
  '(UK) Ltd',
  'Holdings Inc',
  'Co',
] as const;
