// The shaders: parts with flat light, thick lines, the fill of a section.
(function (viewer) {
    "use strict";

    // Every instance has three rows of its pose and its paint: red, green, blue and how it is drawn. An instance that does
    // not belong to this pass leaves the picture.
    const partVertex = `
        attribute vec4 row0, row1, row2, paint;
        attribute float number;
        uniform float pass;
        varying vec3 place, seen;
        varying vec4 colour;
        void main() {
            vec4 local = vec4(position, 1.0);
            place = vec3(dot(row0, local), dot(row1, local), dot(row2, local));
            vec4 eye = viewMatrix * vec4(place, 1.0);
            seen = eye.xyz;
            colour = paint;
            #ifdef PICK
                float code = number + 1.0;
                colour = vec4(mod(code, 256.0), mod(floor(code / 256.0), 256.0), floor(code / 65536.0), 255.0) / 255.0;
            #endif
            gl_Position = abs(paint.w - pass) < 0.5 ? projectionMatrix * eye : vec4(0.0, 0.0, 2.0, 1.0);
        }`;

    const partFragment = `
        uniform vec4 plane;
        uniform float alpha;
        uniform vec3 fade, ground;
        varying vec3 place, seen;
        varying vec4 colour;
        void main() {
            if (dot(plane.xyz, place) > plane.w) discard;
            #ifdef PICK
                gl_FragColor = colour;
            #else
                vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
                vec3 toward = normalize(-seen);
                float facing = abs(dot(normal, toward));
                #ifdef GHOST
                    // As on an X-ray, more of it at the silhouette. The strongest of many wins: they do not add up.
                    gl_FragColor = vec4(mix(ground, fade, alpha * (0.35 + 1.65 * pow(1.0 - facing, 1.5))), 1.0);
                #else
                    float key = max(0.0, dot(normal, normalize(vec3(0.35, 0.55, 0.75))));
                    float light = 0.36 + 0.34 * facing + 0.38 * key;
                    gl_FragColor = vec4(min(colour.rgb * light + 0.05 * key, 1.0), 1.0);
                #endif
            #endif
        }`;

    // A segment is a rectangle that faces the viewer; `corner` is (end, side).
    const lineVertex = `
        attribute vec3 start, finish;
        attribute vec2 corner;
        uniform vec2 pixels;
        uniform float width;
        varying vec3 place;
        void main() {
            vec4 a = projectionMatrix * viewMatrix * vec4(start, 1.0);
            vec4 b = projectionMatrix * viewMatrix * vec4(finish, 1.0);
            vec2 along = (b.xy / max(b.w, 1e-6) - a.xy / max(a.w, 1e-6)) * pixels;
            float size = length(along);
            along = size > 1e-4 ? along / size : vec2(1.0, 0.0);
            vec2 across = vec2(-along.y, along.x);
            vec4 at = corner.x < 0.5 ? a : b;
            at.xy += (across * corner.y + along * (corner.x - 0.5)) * width * at.w / pixels;
            at.z -= 0.0002 * at.w;
            place = corner.x < 0.5 ? start : finish;
            gl_Position = at;
        }`;

    const lineFragment = `
        uniform vec3 colour;
        uniform float alpha;
        void main() { gl_FragColor = vec4(colour, alpha); }`;

    const fillVertex = `
        varying vec3 place;
        void main() {
            place = position;
            gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
        }`;

    // Stripes: 1 rising, 2 falling, 3 both. They tell the materials apart without colour.
    const fillFragment = `
        uniform vec3 colour, stripe;
        uniform float pattern;
        void main() {
            float rising = step(mod(gl_FragCoord.x + gl_FragCoord.y, 9.0), 1.6);
            float falling = step(mod(gl_FragCoord.x - gl_FragCoord.y, 9.0), 1.6);
            float mark = pattern < 1.5 ? rising : pattern < 2.5 ? falling : max(rising, falling);
            gl_FragColor = vec4(mix(colour, stripe, mark), 1.0);
        }`;

    viewer.shaders = { partVertex, partFragment, lineVertex, lineFragment, fillVertex, fillFragment };
})(globalThis.TumbleViewer = globalThis.TumbleViewer || {});
