// The shaders of the window and of the page, in the GLSL that OpenGL 3.3, OpenGL ES 3.0 and WebGL 2 share. A line of
// two slashes, a sign of number and a name begins each part.
//
// They shade as the pictures of `pliant render` are shaded, with one lamp direction in place of a disc and a smooth
// sky in place of a sampled one. View space: x right, y up, z towards the viewer.

//# light
// What light finds at a surface; linear light to the screen.
uniform vec3 up;
uniform vec3 toward_lamp;
uniform vec3 lamp;
uniform vec3 sky;
uniform vec3 bounce;
uniform vec3 horizon;
uniform vec3 zenith;
uniform highp sampler2DShadow shadow_map;
uniform mat4 to_shadow;
uniform float has_shadows;

vec3 background(vec3 ray) {
    return mix(horizon, zenith, smoothstep(-0.02, 0.75, dot(normalize(ray), up)));
}

float lamp_share(vec3 point, vec3 normal, float bias) {
    if (has_shadows < 0.5) return 1.0;
    vec3 at = (to_shadow * vec4(point + normal * bias, 1.0)).xyz;
    if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
    float share = 0.0;
    float texel = 1.0 / float(textureSize(shadow_map, 0).x);
    for (int k = 0; k < 4; k++) {
        vec2 shift = vec2(float(k & 1) - 0.5, float(k >> 1) - 0.5) * 1.5 * texel;
        share += texture(shadow_map, vec3(at.xy + shift, at.z));
    }
    return 0.25 * share;
}

// Linear radiance of a surface of a linear colour.
vec3 lit(vec3 color, float gloss, vec3 point, vec3 normal, float bias) {
    float facing = max(dot(normal, toward_lamp), 0.0);
    float share = facing > 0.0 ? lamp_share(point, normal, bias) : 0.0;
    float height = dot(normal, up);
    float openness = 0.66 + 0.3 * height;
    vec3 dim = min(color, vec3(0.9));
    vec3 ambient = sky * openness / (1.0 - dim * (1.0 - openness))
        + bounce * (0.5 - 0.5 * height) * (0.35 + 0.65 * openness);
    vec3 between = normalize(toward_lamp - normalize(point));
    float polish = max((gloss - 0.1) / 0.9, 0.0);
    float strength = mix(0.1 * min(gloss / 0.1, 1.0), 0.9, polish);
    float shine = strength * pow(max(dot(between, normal), 0.0), mix(22.0, 260.0, polish)) * share * facing;
    return color * (lamp * (share * facing) + ambient) + lamp * shine;
}

// What is seen through: light of its own, and how much of what is behind it is kept back.
vec4 clear(vec3 color, float opacity, vec3 point, vec3 facing) {
    float cosine = clamp(-dot(normalize(point), facing), 0.06, 1.0);
    float absorbed = 1.0 - pow(1.0 - opacity, 1.0 / cosine);
    float mirrored = 0.04 + 0.96 * pow(1.0 - cosine, 5.0);
    vec3 glow = color * sky * absorbed + 0.8 * horizon * mirrored;
    float kept = 1.0 - (1.0 - absorbed) * (1.0 - mirrored);
    return vec4(glow / max(kept, 1e-3), kept);
}

vec3 linear(vec3 color) {
    return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(0.04045, color));
}

// Highlights above 0.72 are compressed, then the sRGB curve.
vec3 on_screen(vec3 light) {
    float peak = max(light.r, max(light.g, light.b));
    if (peak > 0.72) {
        float tamed = 1.0 - 0.28 * 0.28 / (peak + 0.28 - 0.72);
        float white = 1.0 - 1.0 / (0.15 * (peak - tamed) + 1.0);
        light = mix(light * (tamed / peak), vec3(tamed), white);
    }
    light = max(light, vec3(0.0));
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}

//# sphere_vertex
// A particle is a square that faces the viewer, on which a ball is drawn. One that is part of a surface is none where
// surfaces are drawn; its colour's fourth number is below 1, and smaller yet if it is clear.
layout(location = 0) in vec4 ball;
layout(location = 1) in vec4 color;
uniform mat4 view;
uniform mat4 projection;
uniform float hidden_below;
out vec2 at;
out vec3 center;
flat out float radius;
flat out vec3 tint;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    radius = ball.w;
    center = (view * vec4(ball.xyz, 1.0)).xyz;
    tint = color.rgb;
    gl_Position = color.a < hidden_below ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(center + vec3(at * radius, 0.0), 1.0);
}

//# sphere_fragment
in vec2 at;
in vec3 center;
flat in float radius;
flat in vec3 tint;
uniform mat4 projection;
out vec4 pixel;
void main() {
    float reach = dot(at, at);
    if (reach > 1.0) discard;
    vec3 normal = vec3(at, sqrt(1.0 - reach));
    vec3 point = center + normal * radius;
    vec4 clip = projection * vec4(point, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    pixel = vec4(on_screen(lit(linear(tint), 0.1, point, normal, 0.6 * radius)), 1.0);
}

//# sphere_shadow_fragment
// The same as a disc, for the depth that the lamp sees.
in vec2 at;
in vec3 center;
flat in float radius;
flat in vec3 tint;
void main() {
    if (dot(at, at) > 1.0) discard;
}

//# splat_vertex
// A particle of a surface is a square, larger than the particle, whose middle counts more than its rim: where squares
// overlap, the mean of their normals is that of a smooth surface (surface splatting, Zwicker et al. 2001).
layout(location = 0) in vec4 ball;
layout(location = 1) in vec4 color;
uniform mat4 view;
uniform mat4 projection;
out vec2 at;
out vec3 center;
flat out float radius;
flat out vec4 tint;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    radius = ball.w;
    center = (view * vec4(ball.xyz, 1.0)).xyz;
    tint = color;
    gl_Position = color.a < 1.0 ? projection * vec4(center + vec3(at * radius * 2.4, 0.0), 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}

//# splat_depth_fragment
// The depth of what is in front. Only what counts as inside there.
in vec2 at;
in vec3 center;
flat in float radius;
flat in vec4 tint;
uniform mat4 projection;
void main() {
    float reach = dot(at, at);
    if (reach > 0.4) discard;
    vec4 clip = projection * vec4(center + vec3(0.0, 0.0, radius * sqrt(1.0 - reach)), 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
}

//# splat_fragment
// Sums of normals, across and up, with gloss, and of colours with opacity; what is far behind the front counts less.
in vec2 at;
in vec3 center;
flat in float radius;
flat in vec4 tint;
uniform mat4 projection;
uniform highp sampler2D depths;
layout(location = 0) out vec4 normals;
layout(location = 1) out vec4 colors;
void main() {
    float reach = dot(at, at);
    if (reach > 1.0) discard;
    float depth = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
    float front = -projection[3][2] / (2.0 * depth - 1.0 + projection[2][2]);
    float behind = (front - center.z) / radius - sqrt(1.0 - reach);
    float nearness = clamp(1.0 - 0.25 * behind, 0.0, 1.0);
    float share = (1.0 - reach) * (1.0 - reach) * nearness * nearness;
    // Opacity is in the upper and gloss in the lower four bits of a colour's fourth number.
    float look = floor(255.0 * tint.a + 0.5);
    normals = share * vec4(at, mod(look, 16.0) / 14.0, 1.0);
    colors = share * vec4(pow(tint.rgb, vec3(2.2)), floor(look / 16.0) / 15.0);
}

//# surface_fragment
// The surface that splats add up to.
in vec3 ray;
uniform highp sampler2D normal_sums;
uniform highp sampler2D color_sums;
uniform highp sampler2D depths;
uniform mat4 projection;
uniform vec2 corner;
uniform float bias;
out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy - corner);
    vec4 sum = texelFetch(normal_sums, at, 0);
    float depth = texelFetch(depths, at, 0).r;
    if (depth >= 1.0 || sum.a <= 0.0) discard;
    vec4 color = texelFetch(color_sums, at, 0) / sum.a;
    sum /= sum.a;
    vec3 point = ray * (projection[3][2] / (2.0 * depth - 1.0 + projection[2][2]));
    vec3 normal = normalize(vec3(sum.xy, sqrt(max(1.0 - dot(sum.xy, sum.xy), 1e-3))));
    gl_FragDepth = depth;
    vec3 light = lit(color.rgb, sum.z, point, normal, bias);
    vec4 seen = clear(color.rgb, color.a, point, normal);
    pixel = vec4(on_screen(mix(seen.rgb, light, color.a)), mix(seen.a, 1.0, step(0.98, color.a)));
}

//# mesh_vertex
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal_and_gloss;
layout(location = 2) in vec4 color;
uniform mat4 view;
uniform mat4 model;
uniform mat4 projection;
uniform vec4 tint;
out vec3 point;
out vec3 normal;
out vec4 surface;
out float gloss;
void main() {
    mat4 to_view = view * model;
    point = (to_view * vec4(position, 1.0)).xyz;
    normal = mat3(to_view) * normal_and_gloss.xyz;
    gloss = normal_and_gloss.w;
    surface = color * tint;
    gl_Position = projection * vec4(point, 1.0);
}

//# mesh_fragment
in vec3 point;
in vec3 normal;
in vec4 surface;
in float gloss;
uniform vec4 fading;
uniform float glass;
out vec4 pixel;
void main() {
    vec3 facing = normalize(normal);
    if (dot(facing, point) > 0.0) facing = -facing;
    vec3 color = linear(surface.rgb);
    if (glass > 0.5) {
        vec4 seen = clear(color, surface.a, point, facing);
        pixel = vec4(on_screen(seen.rgb), seen.a);
        return;
    }
    float fade = fading.w > 0.0 ? smoothstep(0.9, 5.5, distance(point, fading.xyz) / fading.w) : 0.0;
    vec3 light = lit(color, gloss, point, facing, 2e-3 * abs(fading.w));
    pixel = vec4(on_screen(mix(light, background(point), fade)), 1.0);
}

//# mesh_shadow_fragment
in vec3 point;
in vec3 normal;
in vec4 surface;
in float gloss;
void main() {}

//# background_vertex
uniform mat4 projection;
out vec3 ray;
void main() {
    vec2 at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    ray = vec3(at.x / projection[0][0], at.y / projection[1][1], -1.0);
    gl_Position = vec4(at, 0.0, 1.0);
}

//# background_fragment
in vec3 ray;
out vec4 pixel;
void main() {
    pixel = vec4(on_screen(background(ray)), 1.0);
}
