/** The part of `node:net` that the engine uses. Addresses with a zone, such as `fe80::1%eth0`, are none here. */
export function isIPv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
}
