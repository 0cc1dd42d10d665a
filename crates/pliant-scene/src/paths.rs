//! Paths without touching the disk.

use std::path::{Component, Path, PathBuf};

/// The path without `.` and `..`, as far as that is possible by its letters alone.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(clean.components().next_back(), Some(Component::Normal(_))) =>
            {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// The path of an absolute `file` as seen from an absolute `folder`, with forward slashes; the
/// file's own path if they have nothing in common.
pub(crate) fn relative(file: &Path, folder: &Path) -> String {
    let (file, folder) = (without_dots(file), without_dots(folder));
    let file_parts: Vec<Component<'_>> = file.components().collect();
    let folder_parts: Vec<Component<'_>> = folder.components().collect();
    let pairs = file_parts.iter().zip(&folder_parts);
    let same = pairs.take_while(|(a, b)| a == b).count();
    if same == 0 {
        return file.to_string_lossy().into_owned();
    }
    let ups = folder_parts[same..].iter().map(|_| "..".into());
    let downs = file_parts[same..].iter();
    let downs = downs.map(|c| c.as_os_str().to_string_lossy().into_owned());
    ups.chain(downs).collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_lead_back_to_the_file() {
        let cases = [
            ("/a/b/c.obj", "/a/b", "c.obj"),
            ("/a/b/c.obj", "/a/x/y", "../../b/c.obj"),
            ("/a/b/../c.obj", "/a", "c.obj"),
        ];
        for (file, folder, expected) in cases {
            let found = relative(Path::new(file), Path::new(folder));
            assert_eq!(found, expected);
            let back = without_dots(&Path::new(folder).join(&found));
            assert_eq!(back, without_dots(Path::new(file)));
        }
    }
}
