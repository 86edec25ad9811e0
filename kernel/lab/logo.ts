/** The kernel's logo in front ends: three voices that meet. */
export const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64" role="img">
<title>Madrigal</title>
<rect width="64" height="64" rx="12" fill="#2b3a67"/>
<g fill="none" stroke="#f4f1de" stroke-width="4" stroke-linecap="round">
<path d="M10 18c16 0 18 14 30 14"/>
<path d="M10 32h30"/>
<path d="M10 46c16 0 18-14 30-14"/>
</g>
<g fill="#f2a541"><circle cx="10" cy="18" r="5"/><circle cx="10" cy="32" r="5"/><circle cx="10" cy="46" r="5"/></g>
<circle cx="48" cy="32" r="8" fill="#f4f1de"/>
</svg>
`;
