// tumble-collision/three: models from geometries and objects of three.js, and lines that show contacts.
export { ContactLines } from "./lines.mjs";
export { meshOf, modelOf, poseOf } from "./shapes.mjs";
