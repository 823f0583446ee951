/** Names of computer players: commanders of the time, a different one for each strength. */

const COMMANDERS: Record<string, string[]> = {
  ussr: ["Budyonny", "Voroshilov", "Timoshenko", "Chuikov", "Konev", "Zhukov"],
  germany: ["Paulus", "Kesselring", "Model", "Guderian", "Rommel", "Manstein"],
  uk: ["Percival", "Wavell", "Auchinleck", "Cunningham", "Alexander", "Montgomery"],
  japan: ["Mutaguchi", "Nagumo", "Ozawa", "Kuribayashi", "Yamashita", "Yamamoto"],
  usa: ["Kimmel", "Clark", "Bradley", "Nimitz", "Patton", "Eisenhower"],
  italy: ["Graziani", "Bastico", "Cavallero", "Iachino", "Gariboldi", "Messe"],
  china: ["Tang", "Wei", "Bai", "Sun", "Chen", "Xue Yue"],
  france: ["Gamelin", "Giraud", "Juin", "Koenig", "Leclerc", "de Lattre"],
  anzac: ["Bennett", "Blamey", "Herring", "Vasey", "Freyberg", "Morshead"],
};

export function commander(power: string, stars: number): string {
  const names = COMMANDERS[power];
  return names?.[Math.max(0, Math.min(stars, names.length - 1))] ?? "Computer";
}
