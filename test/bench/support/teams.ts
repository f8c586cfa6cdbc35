/** As many containers as a team of the examples has. */
export const teamSize = 50;
